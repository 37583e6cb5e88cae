! SPDX-License-Identifier: Apache-2.0
! nvtx.f90 - NVTX for Fortran 2008. Compile it with your program, and link with
! libnvtx3interop, which has the functions of NVTX 3:
!
!     gfortran nvtx.f90 program.f90 -lnvtx3interop
!
! nvtxStartRange and nvtxEndRange are those of the module of this name that NVIDIA's
! compiler has. The other names are those of C, without A and Ex: what C gives in a
! structure of attributes are optional arguments. Spaces at the end of a name are left
! out. docs/guide/annotate.md says what ranges, domains and categories are.
module nvtx
    use, intrinsic :: iso_c_binding
    implicit none
    private
    public :: nvtxStartRange, nvtxEndRange, nvtxRangePush, nvtxRangePop, nvtxMark
    public :: nvtxRangeStart, nvtxRangeEnd, nvtxDomainCreate, nvtxNameCategory

    ! nvtxEventAttributes_t of nvToolsExt.h.
    type, bind(c) :: attributes
        integer(c_int16_t) :: version = 3_c_int16_t
        integer(c_int16_t) :: size = 48_c_int16_t
        integer(c_int32_t) :: category = 0
        integer(c_int32_t) :: color_type = 0
        integer(c_int32_t) :: color = 0
        integer(c_int32_t) :: payload_type = 0
        integer(c_int32_t) :: reserved = 0
        integer(c_int64_t) :: payload = 0
        integer(c_int32_t) :: message_type = 1 ! a text
        type(c_ptr) :: message = c_null_ptr
    end type

    integer(c_int32_t), parameter :: color_is_argb = 1, payload_is_double = 3

    interface
        function domain_create(name) bind(c, name='nvtxDomainCreateA') result(domain)
            import
            character(kind=c_char), intent(in) :: name(*)
            type(c_ptr) :: domain
        end function

        subroutine name_category(domain, category, name) &
            bind(c, name='nvtxDomainNameCategoryA')
            import
            type(c_ptr), value :: domain
            integer(c_int32_t), value :: category
            character(kind=c_char), intent(in) :: name(*)
        end subroutine

        function range_push(domain, event) bind(c, name='nvtxDomainRangePushEx') &
            result(level)
            import
            type(c_ptr), value :: domain
            type(attributes), intent(in) :: event
            integer(c_int) :: level
        end function

        function range_pop(domain) bind(c, name='nvtxDomainRangePop') result(level)
            import
            type(c_ptr), value :: domain
            integer(c_int) :: level
        end function

        function range_start(domain, event) bind(c, name='nvtxDomainRangeStartEx') &
            result(id)
            import
            type(c_ptr), value :: domain
            type(attributes), intent(in) :: event
            integer(c_int64_t) :: id
        end function

        subroutine range_end(domain, id) bind(c, name='nvtxDomainRangeEnd')
            import
            type(c_ptr), value :: domain
            integer(c_int64_t), value :: id
        end subroutine

        subroutine mark(domain, event) bind(c, name='nvtxDomainMarkEx')
            import
            type(c_ptr), value :: domain
            type(attributes), intent(in) :: event
        end subroutine
    end interface

contains

    ! A range of this thread, up to the matching nvtxEndRange. Colors are 1 to 7.
    subroutine nvtxStartRange(label, icolor)
        character(len=*), intent(in) :: label
        integer, intent(in), optional :: icolor
        integer, parameter :: colors(7) = [int(z'00ff00'), int(z'0000ff'), &
            int(z'ffff00'), int(z'ff00ff'), int(z'00ffff'), int(z'ff0000'), int(z'ffffff')]

        if (present(icolor)) then
            call nvtxRangePush(label, color=colors(modulo(icolor - 1, 7) + 1))
        else
            call nvtxRangePush(label)
        end if
    end subroutine

    subroutine nvtxEndRange()
        call nvtxRangePop()
    end subroutine

    ! A range of this thread, up to the matching nvtxRangePop of the same domain. The
    ! color is 0xRRGGBB; without a domain, it is the default one.
    subroutine nvtxRangePush(name, domain, category, color, payload)
        character(len=*), intent(in) :: name
        type(c_ptr), intent(in), optional :: domain
        integer, intent(in), optional :: category, color
        double precision, intent(in), optional :: payload
        character(kind=c_char, len=len_trim(name) + 1), target :: text
        integer(c_int) :: level

        text = trim(name)//c_null_char
        level = range_push(given(domain), event(text, category, color, payload))
    end subroutine

    subroutine nvtxRangePop(domain)
        type(c_ptr), intent(in), optional :: domain
        integer(c_int) :: level

        level = range_pop(given(domain))
    end subroutine

    ! A range that any thread may end, by its id.
    function nvtxRangeStart(name, domain, category, color, payload) result(id)
        character(len=*), intent(in) :: name
        type(c_ptr), intent(in), optional :: domain
        integer, intent(in), optional :: category, color
        double precision, intent(in), optional :: payload
        integer(c_int64_t) :: id
        character(kind=c_char, len=len_trim(name) + 1), target :: text

        text = trim(name)//c_null_char
        id = range_start(given(domain), event(text, category, color, payload))
    end function

    subroutine nvtxRangeEnd(id, domain)
        integer(c_int64_t), intent(in) :: id
        type(c_ptr), intent(in), optional :: domain

        call range_end(given(domain), id)
    end subroutine

    ! An event without a duration.
    subroutine nvtxMark(name, domain, category, color, payload)
        character(len=*), intent(in) :: name
        type(c_ptr), intent(in), optional :: domain
        integer, intent(in), optional :: category, color
        double precision, intent(in), optional :: payload
        character(kind=c_char, len=len_trim(name) + 1), target :: text

        text = trim(name)//c_null_char
        call mark(given(domain), event(text, category, color, payload))
    end subroutine

    ! The domain of this name, which lasts as long as the program.
    function nvtxDomainCreate(name) result(domain)
        character(len=*), intent(in) :: name
        type(c_ptr) :: domain

        domain = domain_create(trim(name)//c_null_char)
    end function

    subroutine nvtxNameCategory(category, name, domain)
        integer, intent(in) :: category
        character(len=*), intent(in) :: name
        type(c_ptr), intent(in), optional :: domain

        call name_category(given(domain), category, trim(name)//c_null_char)
    end subroutine

    function given(domain)
        type(c_ptr), intent(in), optional :: domain
        type(c_ptr) :: given

        given = c_null_ptr
        if (present(domain)) given = domain
    end function

    ! `text` ends with a zero byte, and is used until the call that takes the event.
    function event(text, category, color, payload)
        character(kind=c_char, len=*), intent(in), target :: text
        integer, intent(in), optional :: category, color
        double precision, intent(in), optional :: payload
        type(attributes) :: event

        event%message = c_loc(text(1:1))
        if (present(category)) event%category = category
        if (present(color)) then
            event%color_type = color_is_argb
            event%color = ior(color, not(int(z'00ffffff'))) ! opaque
        end if
        if (present(payload)) then
            event%payload_type = payload_is_double
            event%payload = transfer(payload, event%payload)
        end if
    end function
end module
