# `print` shows a gap where events were dropped, and pairs no events across it.
golden gap
rangeline print gap.rln
rangeline print --tree gap.rln
