import { lazy, type ComponentType, type LazyExoticComponent, type ReactNode } from 'react'
import { fetchPart } from '../calls/fetchPart.ts'

/** The input of a board: how one goes to the others, and what is above all of them. */
export interface BoardProps {
  /** The choice of boards, beside what is filtered by. */
  chooser: ReactNode
  /** The same in the head of the page, where the board has no filter. */
  actions: ReactNode
}

interface NamedBoard {
  /** In the address: `?board=<key>`. */
  key: string
  /** Word key. */
  word: string
  /** Needed right. */
  rule: string
  /** The smaller, the earlier; boards of tasks stand first. */
  order: number
}

interface RegisteredBoard extends NamedBoard {
  Board: LazyExoticComponent<ComponentType<BoardProps>>
}

const registered: RegisteredBoard[] = []

/**
 * Puts a board of another feature into the choice of the screen of boards: `registerBoard({ key: 'leads', …,
 * load: () => import('./WorkBoard.tsx') })`, in web/screens.ts. The module exports its component as `Board`,
 * which brings its own head of the page.
 */
export function registerBoard({
  load,
  ...board
}: NamedBoard & { load: () => Promise<{ Board: ComponentType<BoardProps> }> }): void {
  registered.push({ ...board, Board: lazy(() => fetchPart(load).then(({ Board }) => ({ default: Board }))) })
}

export const otherBoards = (): readonly RegisteredBoard[] => registered.toSorted((a, b) => a.order - b.order)
