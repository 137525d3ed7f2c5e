import type { Door } from '#kit/server/http/doors.ts'
import { answer, refusal } from './mcp.ts'

export const doors: Door[] = [
  { method: 'POST', path: '/api/mcp', answer, refusal },
  // There is no stream to listen to: a request for one gets the status the protocol names.
  { method: 'GET', path: '/api/mcp', answer: async () => ({ status: 405, body: null }), refusal },
]
