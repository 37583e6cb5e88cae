# Samples are in the unit beside them, as in the report.
golden counters
rangeline print counters.rln | grep 'sent '
rangeline stats -q -r counter_sum -f csv counters.rln | grep -e Samples -e sent
