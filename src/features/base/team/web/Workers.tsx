import { ShieldCheck, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { isUnlimited } from '#kit/describe/session.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { useKeys } from '#kit/web/parts/useKeys.ts'
import { go } from '#kit/web/routes/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { workers } from '../workers.ts'
import { FactorRule } from './FactorRule.tsx'
import './dress.tsx'

/** The people of the business: the rights and the state of each. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const mayInvite = may('workers.change')
  const held = useSession()
  const isOwner = held?.TypeID === 4 && isUnlimited(held.rules)
  const [asksFactor, setAsksFactor] = useState(false)
  useKeys(mayInvite ? { n: () => go('/invoice/editworker') } : {})
  return (
    <>
      <ListScreen
        resource={workers as never}
        title={t('workers.title')}
        newHref={false}
        archive={false}
        actions={
          mayInvite && (
            <>
              {isOwner && (
                <Button icon={ShieldCheck} onPress={() => setAsksFactor(true)}>
                  {t('team.factor.title')}
                </Button>
              )}
              <Button kind="primary" icon={UserPlus} keys="N" onPress={() => go('/invoice/editworker')}>
                {t('workers.new')}
              </Button>
            </>
          )
        }
      />
      {asksFactor && <FactorRule onClose={() => setAsksFactor(false)} />}
    </>
  )
}
