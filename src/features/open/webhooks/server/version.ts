/** The form of what is sent, named in each notice; a receiver that was set up keeps its own when it changes. */
export const apiVersion = '2026-11-24'
