import { implement } from '#kit/server/implement.ts'
import * as calls from '../endpoints.ts'
import { articlesIn } from './articles.ts'
import { countNews, listReleases, markSeen } from './releases.ts'

export const implementations = [
  implement(calls.helpArticles, async (_, { lang }) => articlesIn(lang)),
  implement(calls.helpReleases, listReleases),
  implement(calls.helpNews, countNews),
  implement(calls.helpSeen, markSeen),
]
