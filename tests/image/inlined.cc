// SPDX-License-Identifier: Apache-2.0
// A fixture of inlined functions of namespaces and classes.

extern "C" int taste(struct pot *pot);

namespace kitchen
{
class Spoon
{
      public:
	explicit Spoon(int size) : size_(size)
	{
	}
	int lift() const
	{
		return seen = seen + size_;
	}
	static volatile int seen;

      private:
	int size_;
};
volatile int Spoon::seen;

inline int serve(int size)
{
	Spoon spoon(size);
	return spoon.lift() + spoon.lift();
}
} // namespace kitchen

extern "C" void _start()
{
	kitchen::Spoon::seen = kitchen::serve(3);
}
