// SPDX-License-Identifier: GPL-2.0-or-later
//! Names that only Rust has, with known values, for guest/program-names.stp. Made into names-rust.s, which the tests
//! assemble (names.sh).
#![no_std]
#![no_main]
#![allow(static_mut_refs)]

use core::arch::asm;

pub mod shapes {
    pub struct Point {
        pub x: i32,
        pub y: i64,
    }
    pub enum Shape {
        Empty,
        Circle(u32),
        Square { side: u16, at: Point },
    }
    pub struct Holder<T> {
        pub item: T,
        pub next: Option<&'static Point>,
    }
    #[derive(Clone, Copy)]
    #[repr(u8)]
    pub enum Colour {
        Red = 1,
        Green = 7,
    }
}

pub mod state {
    use crate::shapes::*;

    static POINT: Point = Point { x: 11, y: -12 };
    pub static mut SHAPE: Shape = Shape::Square { side: 5, at: Point { x: -3, y: 4 } };
    pub static mut ROUND: Shape = Shape::Circle(6);
    pub static mut HOLDER: Holder<u16> = Holder { item: 9, next: Some(&POINT) };
    pub static mut COLOUR: Colour = Colour::Green;
    pub static mut TEXT: &str = "some text";
}

pub static mut COUNT: u32 = 41;

unsafe fn call(number: i64, argument: u64) {
    asm!("syscall", inlateout("rax") number => _, in("rdi") argument, out("rcx") _, out("r11") _);
}

#[no_mangle]
pub unsafe extern "C" fn _start() {
    COUNT += 1;
    let all = [
        &raw mut state::SHAPE as u64,
        &raw mut state::ROUND as u64,
        &raw mut state::HOLDER as u64,
        &raw mut state::COLOUR as u64,
        &raw mut state::TEXT as u64,
    ];
    // The compiler must not know what becomes of them.
    for place in all {
        call(121 /* getpgid */, place);
    }
    call(121, 0);
    call(231 /* exit_group */, 0);
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
