import { Copy } from 'lucide-react'
import { useState } from 'react'
import { formatMoment } from '#domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { endFeed, feedState, makeFeed } from '../endpoints.ts'

/**
 * The tasks of a person in any calendar: an address that is shown once, and ended by making another or by a
 * press.
 */
export function FeedDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const { data } = useCall(feedState, {})
  const [withNames, setWithNames] = useState(false)
  const [url, setUrl] = useState<string>()
  const copy = useCopy()
  const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf(feedState) })
  return (
    <FormDialog
      title={t('tasks.feed.title')}
      verb={url ? undefined : t(data?.since ? 'tasks.feed.anew' : 'tasks.feed.make')}
      names={[]}
      onClose={onClose}
      onSubmit={async () => {
        setUrl((await call(makeFeed, { withNames })).url)
        await refresh()
      }}
    >
      {() => (
        <>
          <p>{t('tasks.feed.text')}</p>
          {url ? (
            <TextField
              label={t('tasks.feed.address')}
              hint={t('tasks.feed.once')}
              value={url}
              onChange={() => undefined}
              readOnly
              ltr
              end={
                <Button kind="quiet" size="s" icon={Copy} onPress={() => copy(url)}>
                  {t('kit.copy.copy')}
                </Button>
              }
            />
          ) : (
            <FlagField label={t('tasks.feed.withNames')} value={withNames} onChange={setWithNames} />
          )}
          {data?.since && !url && (
            <p className="hint text-13">
              {t('tasks.feed.since', { at: formatMoment(new Date(data.since)) })}{' '}
              <Button
                kind="quiet"
                size="s"
                onPress={() =>
                  void call(endFeed, {})
                    .then(refresh)
                    .catch((e: unknown) => banner.error(failureText(t, e)))
                }
              >
                {t('tasks.feed.end')}
              </Button>
            </p>
          )}
        </>
      )}
    </FormDialog>
  )
}
