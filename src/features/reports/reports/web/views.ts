import { call } from '#kit/web/calls/call.ts'
import type { ViewStore } from '#kit/web/screens/views.ts'
import { viewCalls } from '../views.ts'

export const views: ViewStore = {
  list: async (list) => (await call(viewCalls.list, { list })).rows,
  save: (list, name, query, isShared) => call(viewCalls.save, { list, name, query, isShared }),
  drop: (list, id) => call(viewCalls.drop, { list, id }),
}
