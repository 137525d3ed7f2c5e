import type { Folder } from '../endpoints.ts'

export interface Branch extends Folder {
  depth: number
}

/** Folders as they are read from above: each before those inside it. */
export function inOrder(folders: readonly Folder[], parent: string | null = null, depth = 0): Branch[] {
  return folders
    .filter(({ parentId }) => parentId === parent)
    .flatMap((folder) => [{ ...folder, depth }, ...inOrder(folders, folder.id, depth + 1)])
}

/** From the top down to a folder, itself included. */
export function pathTo(folders: readonly Folder[], id: string | undefined): Folder[] {
  const path: Folder[] = []
  for (let at = folders.find((one) => one.id === id); at; at = folders.find((one) => one.id === at!.parentId))
    path.unshift(at)
  return path
}

/** Whether a folder lies in another one, or is it. */
export const isInside = (folders: readonly Folder[], id: string, outer: string): boolean =>
  pathTo(folders, id).some((one) => one.id === outer)
