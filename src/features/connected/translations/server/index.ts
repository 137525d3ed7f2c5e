import { implement } from '#kit/server/implement.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { exportWords, list, me, propose, withdraw } from './words.ts'

export const implementations = [
  implement(calls.translator, (ctx) => me(ctx)),
  implement(calls.listWords, list),
  implement(calls.propose, propose),
  implement(calls.withdraw, withdraw),
  implement(calls.exportWords, exportWords),
]
