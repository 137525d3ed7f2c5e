import { LifeBuoy } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useCall } from '#kit/web/calls/call.ts'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { supportFacts } from '../endpoints.ts'

const AskDialog = lazy(() =>
  fetchPart(() => import('./AskDialog.tsx')).then((part) => ({ default: part.AskDialog })),
)

/**
 * Asks support from where one is: first the page is drawn, then one says what is wrong. Nothing where nobody
 * answers.
 */
export function AskSupport({ article }: { article?: string | undefined }) {
  const t = useWords()
  const { data } = useCall(supportFacts, {}, { staleTime: 60_000 })
  const [busy, setBusy] = useState(false)
  const [asks, setAsks] = useState<{ picture: Blob | undefined; page: string }>()
  if (!data?.isAnswered) return null
  const begin = async () => {
    setBusy(true)
    const page = location.pathname
    const { shootPage } = await fetchPart(() => import('./shoot.ts'))
    setAsks({ picture: await shootPage(), page })
    setBusy(false)
  }
  return (
    <>
      <Button size="s" icon={LifeBuoy} busy={busy} onPress={() => void begin().catch(() => setBusy(false))}>
        {t('support.askHere')}
      </Button>
      {asks && (
        <Suspense>
          <AskDialog kind="question" {...asks} article={article} onClose={() => setAsks(undefined)} />
        </Suspense>
      )}
    </>
  )
}
