import { queryClient } from '#kit/web/calls/call.ts'

/** After a request was made, answered or ended. */
export const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['requests.list'] })
