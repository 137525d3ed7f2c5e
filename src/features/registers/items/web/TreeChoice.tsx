import { go } from '#kit/web/routes/place.ts'
import { Segmented } from '#kit/web/parts/Views.tsx'
import type { AnyResource } from '#kit/web/screens/resources.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { categoryTrees } from '../categoryTrees.ts'

/** The trees this person sees. */
export const treesSeen = () => categoryTrees().filter(({ resource }) => mayDo(session(), resource.allow.see))

/** Leads from one tree to another; nothing where there is only one. */
export function TreeChoice({ now }: { now: AnyResource }) {
  const t = useWords()
  const seen = treesSeen()
  if (seen.length < 2) return null
  return (
    <Segmented
      label={t('categories.of')}
      value={now.name}
      onChange={(name) => {
        const to = seen.find(({ resource }) => resource.name === name)
        if (to) go(to.resource.screens.list)
      }}
      options={seen.map(({ resource, word }) => ({ key: resource.name, label: t(word) }))}
    />
  )
}
