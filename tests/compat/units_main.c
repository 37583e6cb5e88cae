/* SPDX-License-Identifier: Apache-2.0 */
/* units_main.c - calls the units; uses no NVTX itself. Some are in shared libraries. */
void c_one(void);
void c_two(void);
void cxx_one(void);
void cxx_two(void);
void other_headers(void);
void library_one(void);
void library_two(void);
void their_library(void);

int main(void)
{
    c_one();
    c_two();
    cxx_one();
    cxx_two();
    other_headers();
    library_one();
    library_two();
    their_library();
    return 0;
}
