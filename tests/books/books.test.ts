import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readStory, tell } from './story.ts'

const folder = import.meta.dirname ?? join(process.cwd(), 'tests/books')

describe('stories of books', () => {
  test.each(readdirSync(folder).filter((f) => f.endsWith('.story')))('%s', async (file) => {
    const story = readStory(readFileSync(join(folder, file), 'utf8'))
    expect(await tell(story)).toEqual(story.expected)
  })
})
