# `print` shows samples in the counter's unit, as the report does.
golden counters
rangeline print counters.rln | grep 'sent '
rangeline stats -q -r counter_sum -f csv counters.rln | grep -e Samples -e sent
