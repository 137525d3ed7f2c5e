import { implement } from '#kit/server/contract/implement.ts'
import * as calls from '../endpoints.ts'
import { articlesIn } from './articles.ts'
import { countNews, listReleases, markSeen, markTold } from './releases.ts'
import { captionsOf, listVideos } from './videos.ts'

export const implementations = [
  implement(calls.helpArticles, async (_, { lang }) => articlesIn(lang)),
  implement(calls.helpReleases, listReleases),
  implement(calls.helpNews, countNews),
  implement(calls.helpSeen, markSeen),
  implement(calls.helpTold, markTold),
  implement(calls.helpVideos, async (_, of) => listVideos(of)),
  implement(calls.helpCaptions, async (_, of) => captionsOf(of)),
]
