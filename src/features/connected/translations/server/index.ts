import { registerFrameSources } from '#kit/server/http/frameSources.ts'
import { implement } from '#kit/server/contract/implement.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { exportWords, list, me, propose, withdraw } from './words.ts'

// Beside a word is a picture of the screen it is on: the screen itself, in a frame.
registerFrameSources(() => ["'self'"])

export const implementations = [
  implement(calls.translator, (ctx) => me(ctx)),
  implement(calls.listWords, list),
  implement(calls.propose, propose),
  implement(calls.withdraw, withdraw),
  implement(calls.exportWords, exportWords),
]
