// SPDX-License-Identifier: Apache-2.0
// A program in Rust for program.sh: traits, generics, closures, and a panic that is caught.
use std::hint::black_box;

trait Shape {
    fn area(&self) -> u64;
}
struct Square(u64);
struct Rectangle {
    width: u64,
    height: u64,
}
impl Shape for Square {
    #[inline(never)]
    fn area(&self) -> u64 {
        (0..self.0).map(|row| black_box(row - row) + self.0).sum()
    }
}
impl Shape for Rectangle {
    #[inline(never)]
    fn area(&self) -> u64 {
        let mut sum = 0;
        for _ in 0..black_box(self.height) {
            sum += self.width;
        }
        sum
    }
}

#[inline(never)]
fn largest<T: Copy + PartialOrd>(values: &[T]) -> Option<T> {
    let mut values = values.iter().copied();
    let first = values.next()?;
    Some(values.fold(first, |most, value| if value > most { value } else { most }))
}

#[inline(never)]
fn apply(count: u64, work: &dyn Fn(u64) -> u64) -> u64 {
    (0..count).map(work).sum()
}

#[inline(never)]
fn risky(n: u64) -> u64 {
    if n == 3 {
        panic!("no {n}");
    }
    n
}

fn main() {
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square(500)), Box::new(Rectangle { width: 20, height: 700 })];
    let areas: Vec<u64> = shapes.iter().map(|shape| shape.area()).collect();
    println!("areas {areas:?}, largest {:?} {:?}", largest(&areas), largest(&[1.5, 0.5]));
    let offset = black_box(7);
    println!("applied {}", apply(1000, black_box(&|n| black_box(n) + offset)));
    std::panic::set_hook(Box::new(|_| ()));
    println!("caught {}", std::panic::catch_unwind(|| (0..5).map(risky).sum::<u64>()).is_err());
    std::process::exit(4);
}
