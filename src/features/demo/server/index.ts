import type { Implementation } from '../../../kit/server/implement.ts'

export const implementations: Implementation[] = []
