import { Archive, Check } from 'lucide-react'
import { useState } from 'react'
import { formatDay } from '#domain/format.ts'
import { callFile, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { MomentCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { downloadBackup, lastBackup } from '../endpoints.ts'

const parts = ['papers', 'books', 'registers', 'files', 'log'] as const

/** The whole business as one archive to be kept elsewhere, and when that was done last. */
export function Screen() {
  const t = useWords()
  const { data, error } = useCall(lastBackup, {})
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const download = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      await callFile(downloadBackup, {})
      await queryClient.invalidateQueries({ queryKey: keyOf(lastBackup) })
    } catch (e) {
      setProblem(failureText(t, e))
    }
    setBusy(false)
  }
  return (
    <>
      <PageHeader
        title={t('screens.backup')}
        sub={t('backup.sub')}
        crumbs={[{ label: t('screens.settings'), href: '/invoice/Settings' }]}
        actions={
          <Button kind="primary" icon={Archive} busy={busy} onPress={() => void download()}>
            {t('backup.download')}
          </Button>
        }
      />
      <div className="grid max-w-3xl gap-4">
        {problem && <Note tone="late">{problem}</Note>}
        {error && !data ? (
          <Note tone="late">{failureText(t, error)}</Note>
        ) : !data ? (
          <Skeleton lines={3} />
        ) : (
          <Note tone={data.dueSince ? 'late' : 'done'}>
            {data.dueSince ? t('backup.due', { day: formatDay(data.dueSince) }) : t('backup.done')}{' '}
            {data.last && (
              <>
                {t('backup.last')} <MomentCell value={data.last.at} />{' '}
                {data.last.by && <bdi>· {data.last.by}</bdi>}
              </>
            )}
          </Note>
        )}
        <Card title={t('backup.holds')}>
          <ul className="grid gap-2 p-5">
            {parts.map((part) => (
              <li key={part} className="flex items-baseline gap-2">
                <Icon of={Check} size="s" />
                {t(`backup.holds.${part}`)}
              </li>
            ))}
          </ul>
        </Card>
        <p className="sub">{t('backup.law')}</p>
        <p className="sub">{t('backup.secret')}</p>
      </div>
    </>
  )
}
