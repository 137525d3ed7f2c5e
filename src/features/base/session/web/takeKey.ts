/**
 * The key of a link, which is behind '#', once. It leaves the address at once: it is as good as a password, and addresses
 * are kept in histories.
 */
export function takeKey(): string {
  const key = /^#([\w-]{20,200})$/.exec(location.hash)?.[1] ?? ''
  if (key) history.replaceState(history.state, '', location.pathname + location.search)
  return key
}
