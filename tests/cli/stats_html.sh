# `stats` prints reports as an HTML page, or only its table.
golden nested
rangeline stats -q -r nvtx_sum -f hdoc nested.rln
rangeline stats -q -r mark_sum -f "hdoc:title=a <b> & \"c\":css=house.css:nofmt" nested.rln
rangeline stats -q -r mark_sum -f htable:nohdr:mem=B nested.rln
rangeline stats -q -r nvtx_pushpop_sum -f hdoc -o sums nested.rln
ls -- *.html
rangeline stats --help-formats
