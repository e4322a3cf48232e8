// SPDX-License-Identifier: GPL-2.0-or-later
//! Functions with names that only Rust has, for the unit tests of programs. Made into functions-rust.s, which the tests
//! assemble (names.sh).
#![no_std]
#![no_main]

pub mod geometry {
    pub struct Shape {
        pub side: i32,
    }
    pub trait Area {
        fn area(&self, scale: i32) -> i32;
    }
    impl Area for Shape {
        #[inline(never)]
        fn area(&self, scale: i32) -> i32 {
            self.side.wrapping_mul(self.side).wrapping_mul(scale)
        }
    }
    impl Shape {
        #[inline(never)]
        pub fn grow(&mut self, n: i32) {
            self.side = self.side.wrapping_add(n);
        }
    }
    #[inline(never)]
    pub fn largest<T: PartialOrd>(a: T, b: T) -> T {
        if a > b {
            a
        } else {
            b
        }
    }
}

#[inline(never)]
pub fn area(n: i32) -> i32 {
    n ^ 5
}

#[no_mangle]
pub extern "C" fn run(n: i32) -> i32 {
    use geometry::Area;
    let mut shape = geometry::Shape { side: n };
    shape.grow(n);
    shape.area(3) ^ area(n) ^ geometry::largest(n, 3) ^ geometry::largest(n as i64, 4) as i32
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
