/* SPDX-License-Identifier: Apache-2.0 */
/* C++: exceptions across frames and libraries, virtual calls, algorithms with callbacks,
 * threads.
 */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#define KEEP __attribute__((noipa))

namespace {

unsigned unwound;

// Counts the destructors that exceptions run.
struct Guard {
	~Guard() { unwound++; }
};

struct Shape {
	virtual ~Shape() = default;
	virtual double area() const = 0;
};

struct Circle final : Shape {
	explicit Circle(double r) : radius(r) {}
	double area() const override;
	double radius;
};

struct Square final : Shape {
	explicit Square(double s) : side(s) {}
	double area() const override;
	double side;
};

KEEP double Circle::area() const { return M_PI * std::pow(radius, 2); }

KEEP double Square::area() const
{
	if (side < 0)
		throw std::domain_error("negative side");
	return side * side;
}

KEEP double descend(unsigned depth, const Shape &shape)
{
	Guard guard;

	if (depth == 0)
		return shape.area();
	return descend(depth - 1, shape) + 1;
}

// Catches what it cannot handle, and throws it again.
KEEP double rethrow(unsigned depth, const Shape &shape)
{
	try {
		return descend(depth, shape);
	} catch (const std::logic_error &) {
		throw;
	}
}

KEEP unsigned exceptions()
{
	unsigned caught = 0;

	for (unsigned i = 0; i < 12; i++) {
		try {
			rethrow(i, Square(i % 3 ? -1.0 : 2.0));
		} catch (const std::exception &error) {
			caught += static_cast<unsigned>(std::string(error.what()).size());
		}
	}
	return caught;
}

// An exception through frames of the library: std::for_each, std::function.
KEEP unsigned through()
{
	std::vector<int> numbers{3, 1, 4, 1, 5, 9, 2, 6};
	std::function<void(int)> check = [](int n) {
		if (n > 5)
			throw n;
	};

	try {
		std::for_each(numbers.begin(), numbers.end(), check);
	} catch (int n) {
		return static_cast<unsigned>(n);
	}
	return 0;
}

KEEP double shapes()
{
	std::vector<std::unique_ptr<Shape>> all;
	std::map<std::string, double> sums;
	double sum = 0;

	for (int i = 0; i < 150; i++) {
		if (i * 7 % 3)
			all.push_back(std::make_unique<Circle>(i % 13));
		else
			all.push_back(std::make_unique<Square>(i % 11));
	}
	std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) {
		return a->area() < b->area();
	});
	for (const auto &shape : all)
		sums[std::to_string(std::lround(shape->area()) % 20)] += shape->area();
	for (const auto &[name, value] : sums)
		sum += value * std::stod(name);
	return sum;
}

KEEP unsigned threads()
{
	std::vector<std::thread> all;
	unsigned caught[3] = {};

	for (unsigned i = 0; i < 3; i++)
		all.emplace_back([&caught, i] {
			try {
				rethrow(i + 2, Square(-1));
			} catch (const std::domain_error &) {
				caught[i] = i + 1;
			}
		});
	for (auto &thread : all)
		thread.join();
	return caught[0] + caught[1] + caught[2];
}

} // namespace

int main()
{
	unsigned caught = exceptions(), number = through();
	double sum = shapes();
	unsigned in_threads = threads();

	std::printf("cxx: %u %u %.3f %u %u\n", caught, number, sum, in_threads, unwound);
	return 0;
}
