const all = () => [...document.querySelectorAll('[role="dialog"], [role="alertdialog"], [role="menu"]')]
const fades = (one: Element) => one.closest('[data-exiting]') !== null

/** A dialog or a menu lies over the page; one that still fades away is over. */
export const isLaidOver = (): boolean => all().some((one) => !fades(one))

/** It gives the cursor back once it is gone. */
export const isFading = (): boolean => all().some(fades)
