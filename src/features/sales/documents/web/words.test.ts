import { expect, test } from 'vitest'
import { withoutMarks } from './words.ts'

test('marks of direction stay behind', () => expect(withoutMarks('\u2068a\u2069 \u2066b\u2069')).toBe('a b'))
