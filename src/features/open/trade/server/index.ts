import type { Door } from '#kit/server/http/doors.ts'
import '../rules.ts'
import { answer, old, refusal } from './answer.ts'

/** The calls under both versions of their paths, and the oldest of them, which names its successor. */
export const doors: Door[] = [
  { method: 'POST', path: '/api/v1/:name', answer, refusal },
  { method: 'POST', path: '/api/v1.1/:name', answer, refusal },
  { method: 'POST', path: '/api/user/createInvoice', answer: old, refusal },
]
