! SPDX-License-Identifier: Apache-2.0
! solver.f90 - relaxes a field of numbers, and annotates what it does.
!
!     step (payload: the residual before it)
!         sweep        of the domain "solver"
!     converged        a mark
program solver
    use nvtx
    use, intrinsic :: iso_c_binding
    implicit none
    integer, parameter :: n = 64, linear = 1
    double precision :: field(0:n), residual
    type(c_ptr) :: domain
    integer(c_int64_t) :: whole
    integer :: i, step

    domain = nvtxDomainCreate('solver')
    call nvtxNameCategory(linear, 'linear', domain)
    whole = nvtxRangeStart('solve')
    field = 0
    field(n) = 1
    residual = 1
    do step = 1, 3
        call nvtxRangePush('step', payload=residual, color=int(z'ff8800'))
        call nvtxRangePush('sweep   ', domain, category=linear)
        residual = 0
        do i = 1, n - 1
            residual = max(residual, abs((field(i - 1) + field(i + 1)) / 2 - field(i)))
            field(i) = (field(i - 1) + field(i + 1)) / 2
        end do
        call nvtxRangePop(domain)
        call nvtxRangePop()
    end do
    call nvtxRangeEnd(whole)
    call nvtxStartRange('report', 2)
    call nvtxMark('finished')
    print '(a, f6.3)', 'residual', residual
    call nvtxEndRange()
end program
