# Schemas, enums and scopes are listed below their domain; --json has all their details.
golden payloads
rangeline info payloads.rln | sed -n '/^domain/,$p'
rangeline info --json payloads.rln | grep -o '"schemas":.*'
