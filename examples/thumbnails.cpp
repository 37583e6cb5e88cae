// SPDX-License-Identifier: Apache-2.0
// thumbnails.cpp - the C++ API: ranges that close by themselves, in a library's own
// domain, one of them moved to another thread.
//
//   c++ -O2 -pthread -Iinclude examples/thumbnails.cpp -o build/examples/thumbnails
//   build/bin/rangeline profile -o thumbnails build/examples/thumbnails
//   build/bin/rangeline print --tree thumbnails.rln
#include <nvtx3/nvtx3.hpp>

#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace
{

// The prefix of the library's ranges in reports.
struct thumbnails {
    static constexpr char const *name{"org.example.thumbnails"};
};
using scoped_range = nvtx3::scoped_range_in<thumbnails>;
using unique_range = nvtx3::unique_range_in<thumbnails>;

// A category, named once at its first use.
struct pixels {
    static constexpr char const *name{"pixels"};
    static constexpr uint32_t id{1};
};

using image = std::vector<unsigned char>;

image decode(std::string const &name)
{
    NVTX3_FUNC_RANGE_IN(thumbnails); // "decode", until the function returns
    return image(name.size() * 1000, 'x');
}

image shrink(image const &large)
{
    scoped_range const range{"shrink",
                             nvtx3::named_category_in<thumbnails>::get<pixels>(),
                             nvtx3::payload{large.size()}, nvtx3::rgb{0, 128, 255}};
    image small(large.size() / 10);

    for (std::size_t i = 0; i < small.size(); i++)
        small[i] = large[i * 10];
    return small;
}

// Takes the range with the image: it ends here, on the thread that saves.
void save(image const &small, unique_range waiting)
{
    unique_range const ends_here{std::move(waiting)};

    nvtx3::mark_in<thumbnails>("saved", nvtx3::payload{small.size()});
}

} // namespace

int main()
{
    for (std::string const name : {"cat.png", "horse.png"}) {
        scoped_range const file{name};
        image const small = shrink(decode(name));
        unique_range waiting{"waits for being saved"};

        std::thread{save, small, std::move(waiting)}.join();
        std::printf("%s: %zu bytes\n", name.c_str(), small.size());
    }
    return 0;
}
