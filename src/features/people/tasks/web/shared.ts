import { queryClient } from '#kit/web/calls/call.ts'
import { useNews } from '#kit/web/calls/live.ts'
import { boardCards, listBoards, openTasks, wholeTask } from '../endpoints.ts'

/**
 * After a change here or elsewhere: lists, boards and open sheets ask again; what is shown stays until then.
 */
export const refreshTasks = (): Promise<unknown> =>
  Promise.all(
    [openTasks, boardCards, wholeTask]
      .map(({ name }) => queryClient.invalidateQueries({ queryKey: [name] }))
      .concat(queryClient.invalidateQueries({ queryKey: ['tasks.get'] })),
  )

/** Follows what others do while the screen is open. */
export const useFreshTasks = (): void => useNews(['tasks'], () => void refreshTasks())

export const useFreshBoards = (): void =>
  useNews(['boards'], () => void queryClient.invalidateQueries({ queryKey: [listBoards.name] }))
