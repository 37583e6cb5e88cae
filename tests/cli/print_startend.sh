# `print` shows ranges that end on another thread, never, or twice.
golden startend
rangeline print startend.rln
rangeline print --ranges startend.rln
rangeline print --json startend.rln
