import { LogIn } from 'lucide-react'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { usePlace, writeQuery } from '#kit/web/place.ts'
import { searchIn } from '#kit/web/screens/resources.ts'
import { useCan, useSession } from '#kit/web/session.ts'
import { useWords } from '#kit/web/words.tsx'
import { customers } from '../customers.ts'
import { CustomerView } from './CustomerCard.tsx'
import './dress.tsx'
import './parties.css'

/** One customer on a page of his own, without the frame: for a tablet at the counter, or a window beside other work. */
export function Screen() {
  const t = useWords()
  const { path, query, setQuery } = usePlace()
  const session = useSession()
  const may = useCan()
  const { id, tab } = query
  return (
    <main id="content" tabIndex={-1} className="pa-solo">
      {!session || !may(customers.allow.see) ? (
        <EmptyState
          icon={LogIn}
          title={t('kit.ordered.title')}
          {...(session
            ? {}
            : {
                actions: (
                  <Button kind="primary" href="/login">
                    {t('kit.shell.login')}
                  </Button>
                ),
              })}
        >
          {t(session ? 'kit.ordered.right' : 'kit.ordered.text')}
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
