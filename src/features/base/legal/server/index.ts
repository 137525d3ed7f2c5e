import { implementOpen } from '#kit/server/contract/implement.ts'
import * as calls from '../endpoints.ts'

export const implementations = [implementOpen(calls.legalContact, async ({ app }) => app.settings.contact)]
