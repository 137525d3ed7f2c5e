import type { Door } from '#kit/server/doors.ts'
import { answer, refusal } from './mcp.ts'

export const doors: Door[] = [
  { method: 'POST', path: '/api/mcp', answer, refusal },
  // There is no stream to listen to: the person who asks for one is told so by the status the protocol names.
  { method: 'GET', path: '/api/mcp', answer: async () => ({ status: 405, body: null }), refusal },
]
