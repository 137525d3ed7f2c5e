/** A key, always left to right: `<Kbd keys="Ctrl K" />`. The words beside it say what it does. */
export function Kbd({ keys }: { keys: string }) {
  return <kbd className="k-kbd">{keys}</kbd>
}
