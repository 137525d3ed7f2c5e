import { Copy } from 'lucide-react'
import { Button } from '#kit/web/parts/Button.tsx'
import { useCopy } from '#kit/web/hooks/useCopy.ts'

/** Puts a text where it can be pasted from, and says so. */
export function CopyButton({ text, verb, size }: { text: string; verb: string; size?: 's' }) {
  const copy = useCopy()
  return (
    <Button icon={Copy} {...(size ? { size } : {})} onPress={() => copy(text)}>
      {verb}
    </Button>
  )
}
