import { useEffect } from 'react'
import { usePlace } from '#kit/web/routes/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { interactions } from '../contacts.ts'
import './dress.tsx'

/** Contacts that were put away, by hand or by the rule; searched like the others, and brought back. */
export function Screen() {
  const t = useWords()
  const { query, setQuery } = usePlace()
  const isThere = query.archived === 'true'
  useEffect(() => {
    if (!isThere) setQuery({ archived: 'true' })
  }, [isThere, setQuery])
  return isThere ? (
    <ListScreen resource={interactions} title={t('screens.interactionArchive')} newHref={false} />
  ) : null
}
