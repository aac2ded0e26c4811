// SPDX-License-Identifier: Apache-2.0
// A fixture with namespaces, classes, a template and overloads.

extern "C" int sink(int value);

namespace outer
{
namespace inner
{
class Thing
{
      public:
	explicit Thing(int value);
	~Thing();
	int twice() const;
	struct Part {
		static int make(int value);
	};

      private:
	int value_;
};

Thing::Thing(int value) : value_(sink(value))
{
}
Thing::~Thing()
{
	sink(value_);
}
int Thing::twice() const
{
	return sink(value_) * 2;
}
int Thing::Part::make(int value)
{
	return sink(value) + 5;
}
} // namespace inner

template <typename T> __attribute__((noinline)) T generic(T value)
{
	return value + static_cast<T>(sink(static_cast<int>(value)));
}
} // namespace outer

namespace
{
__attribute__((noinline)) int hidden(int value)
{
	return sink(value) ^ 9;
}
} // namespace

int overloaded(int value)
{
	return sink(value);
}
int overloaded(long value)
{
	return sink(static_cast<int>(value) + 1);
}

int main()
{
	outer::inner::Thing thing(1);
	return thing.twice() + outer::inner::Thing::Part::make(2) +
	       outer::generic<int>(3) + static_cast<int>(outer::generic<long>(4)) +
	       hidden(5) + overloaded(6) + overloaded(7L);
}
