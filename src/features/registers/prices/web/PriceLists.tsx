import { Tags } from 'lucide-react'
import { can } from '#kit/describe/session.ts'
import { LogInFirst } from '#kit/web/parts/LogInFirst.tsx'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useSession } from '#kit/web/session/session.ts'
import { Shut } from '#kit/web/shell/Shut.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { priceLists } from '../priceLists.ts'
import './dress.tsx'

/** The price lists. The address opens for anybody; the lists themselves need a session and its right. */
export function Screen() {
  const t = useWords()
  const session = useSession()
  if (!session)
    return (
      <LogInFirst icon={Tags} title={t('priceLists.title')}>
        {t('priceLists.loginText')}
      </LogInFirst>
    )
  return can(session, priceLists.allow.see) ? (
    <ListScreen resource={priceLists} />
  ) : (
    <Shut why="rule" screen="priceLists" />
  )
}
