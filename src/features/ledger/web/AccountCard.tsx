import { Pencil, Printer } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { PageHeader } from '../../../kit/web/parts/PageHeader.tsx'
import { StatusPill } from '../../../kit/web/parts/Status.tsx'
import { usePlace } from '../../../kit/web/place.ts'
import { useTitle } from '../../../kit/web/router.tsx'
import { ReportScreen } from '../../../kit/web/screens/ReportScreen.tsx'
import { useRecord } from '../../../kit/web/screens/useRecord.ts'
import { useCan } from '../../../kit/web/session.ts'
import { banner } from '../../../kit/web/shell/banner.ts'
import { useWords } from '../../../kit/web/words.tsx'
import { accounts } from '../accounts.ts'
import './dress.tsx'

const ResourceSheet = lazy(() =>
  import('../../../kit/web/screens/ResourceSheet.tsx').then(({ ResourceSheet }) => ({ default: ResourceSheet })),
)
const Facts = lazy(() => import('../../../kit/web/screens/Facts.tsx').then(({ Facts }) => ({ default: Facts })))

/** The card of an account: every movement with its running balance. Who may see the chart but not the books gets the account's facts only. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const id = usePlace().params.cardid ?? ''
  const { data: account } = useRecord(accounts, id)
  const [editing, setEditing] = useState(false)
  const name = account ? String(account.name) : t('accounts.one')
  useTitle(account && `${String(account.number)} ${name}`)
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('accounts.title'), href: accounts.screens.list }]}
        {...(account ? { number: String(account.number) } : {})}
        title={name}
        status={account && <StatusPill dot={false}>{t(`accounts.kind.${String(account.kind)}`)}</StatusPill>}
        actions={
          <>
            <Button kind="quiet" icon={Printer} className="d-wide" onPress={() => print()}>
              {t('kit.reports.print')}
            </Button>
            {account && may(accounts.allow.change) && (
              <Button icon={Pencil} onPress={() => setEditing(true)}>
                {t('kit.lists.edit')}
              </Button>
            )}
          </>
        }
      />
      {may('reports.accounting') ? (
        <ReportScreen key={id} name="accountCard" bare fixed={{ account: id }} />
      ) : (
        account && (
          <Suspense>
            <Facts resource={accounts} row={account} />
          </Suspense>
        )
      )}
      {editing && account && (
        <Suspense>
          <ResourceSheet
            resource={accounts}
            record={account}
            onClose={() => setEditing(false)}
            onSaved={() => {
              setEditing(false)
              banner.success(t('kit.forms.saved'))
            }}
          />
        </Suspense>
      )}
    </>
  )
}
