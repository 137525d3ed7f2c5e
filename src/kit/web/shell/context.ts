import { createContext, useContext, useEffect } from 'react'

export interface ShellHold {
  /** Whether the panel is beside the page now. */
  isPinned: boolean
  openPalette: () => void
  openKeys: () => void
  /** The help beside the page, where somebody gave one. */
  help?: { isOpen: boolean; open: () => void; toggle: () => void } | undefined
  /** Takes the panel away while a page needs the room; answers the way back. */
  unpin: () => () => void
}

const nothing = () => undefined
export const ShellContext = createContext<ShellHold>({
  isPinned: false,
  openPalette: nothing,
  openKeys: nothing,
  unpin: () => nothing,
})

/** What a screen may ask of the frame round it. */
export const useShell = (): ShellHold => useContext(ShellContext)

/** While the screen is open the panel is not pinned: the document editor needs the room. */
export function useUnpinned(): void {
  const { unpin } = useShell()
  useEffect(() => unpin(), [unpin])
}
