import { LogIn } from 'lucide-react'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { LogInFirst } from '#kit/web/parts/LogInFirst.tsx'
import { usePlace, writeQuery } from '#kit/web/routes/place.ts'
import { searchIn } from '#kit/web/screens/resources.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { customers } from '../customers.ts'
import { CustomerView } from './CustomerCard.tsx'
import './dress.tsx'
import './parties.css'

/**
 * One customer on a separate page, without the frame: for a tablet at the counter, or a window beside other work.
 */
export function Screen() {
  const t = useWords()
  const { path, query, setQuery } = usePlace()
  const session = useSession()
  const may = useCan()
  const { id, tab } = query
  return (
    <main id="content" tabIndex={-1} className="pa-solo">
      {!session ? (
        <LogInFirst title={t('kit.ordered.title')}>{t('kit.ordered.text')}</LogInFirst>
      ) : !may(customers.allow.see) ? (
        <EmptyState icon={LogIn} title={t('kit.ordered.title')}>
          {t('kit.ordered.right')}
        </EmptyState>
      ) : id ? (
        <CustomerView id={id} tab={tab ?? ''} tabHref={(next) => `${path}${writeQuery({ id, tab: next })}`} />
      ) : (
        <>
          <h1 className="text-22 font-medium">{t('screens.customerSolo')}</h1>
          <p className="sub">{t('customers.solo.text')}</p>
          <div className="pa-find">
            <RefField
              label={t('customers.one')}
              placeholder={t('customers.search')}
              value={null}
              autoFocus
              onChange={(option) => option && setQuery({ id: option.key }, { push: true })}
              search={searchIn(customers)}
            />
          </div>
        </>
      )}
    </main>
  )
}
