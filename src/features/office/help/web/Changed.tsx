import { Button } from '#kit/web/parts/Button.tsx'
import { call } from '#kit/web/calls/call.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { helpTold } from '../endpoints.ts'

function Changed({ count }: { count: number }) {
  const t = useWords()
  return (
    <>
      {t('help.changed', { count })}{' '}
      <Button kind="quiet" size="s" href="/invoice/releasenotes#changed">
        {t('help.changedSee')}
      </Button>
    </>
  )
}

/** Says once that defaults changed with an upgrade; the page of what is new lists them. */
export function announce({ count, version }: { count: number; version: string }): void {
  banner.info(<Changed count={count} />)
  void call(helpTold, { version }).catch(() => undefined)
}
