import { implement } from '#kit/server/contract/implement.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { discardSandbox, emptySandbox, openSandbox, sandboxOf } from './sandbox.ts'

export const implementations = [
  implement(calls.getSandbox, sandboxOf),
  implement(calls.openSandbox, openSandbox),
  implement(calls.emptySandbox, emptySandbox),
  implement(calls.discardSandbox, discardSandbox),
]
