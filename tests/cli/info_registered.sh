# Schemas, enums and scopes stand below their domain; --json has all that is known of them.
golden payloads
rangeline info payloads.rln | sed -n '/^domain/,$p'
rangeline info --json payloads.rln | grep -o '"schemas":.*'
