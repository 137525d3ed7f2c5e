import { Mail, Phone } from 'lucide-react'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import { Icon } from '../parts/Icon.tsx'
import { Num } from '../parts/Num.tsx'
import { useTitle } from '../routes/router.tsx'
import { useBytesUrl } from '../calls/useBytesUrl.ts'
import { KeyPage, type KeyPageProps } from './KeyPage.tsx'

/**
 * How a business shows itself to the person who has the key of a page: in its colour, its language and with what it
 * is reached by.
 */
export interface Face {
  business: { name: string; taxId: string; phone: string; email: string }
  accent: string
  hasLogo: boolean
  language: string
}

export interface BusinessPageProps<T extends Face> extends Omit<KeyPageProps<T>, 'accent' | 'head'> {
  /** The key in the address, and the call that gives the logo for it. */
  pageKey: string
  logo: Endpoint<any, any>
  /** What the window is called; the name of the business follows. */
  title: (data: T) => string
}

/**
 * A page of a business for people who have no account here: a customer, a payer. Its colour and logo stand at
 * the head, how it is reached at the foot.
 */
export function BusinessPage<T extends Face>({
  pageKey,
  logo,
  title,
  children,
  ...page
}: BusinessPageProps<T>) {
  const { data } = page.asked
  const picture = useBytesUrl(logo, pageKey, data?.hasLogo ?? false)
  useTitle(data && `${title(data)}, ${data.business.name}`)
  return (
    <KeyPage
      {...page}
      accent={data?.accent}
      head={
        picture ? (
          <img src={picture} alt={data?.business.name} />
        ) : (
          <b>
            <bdi>{data?.business.name}</bdi>
          </b>
        )
      }
    >
      {(shown) => (
        <>
          {children(shown)}
          <Contact of={shown.business} />
        </>
      )}
    </KeyPage>
  )
}

function Contact({ of: { name, taxId, phone, email } }: { of: Face['business'] }) {
  return (
    <address className="pub-contact">
      <span>
        <bdi>{name}</bdi>
        {taxId && (
          <>
            {' · '}
            <Num>{taxId}</Num>
          </>
        )}
      </span>
      {phone && (
        <a href={`tel:${phone.replace(/[^\d+*]/g, '')}`}>
          <Icon of={Phone} size="s" /> <Num>{phone}</Num>
        </a>
      )}
      {email && (
        <a href={`mailto:${email}`}>
          <Icon of={Mail} size="s" /> <Num>{email}</Num>
        </a>
      )}
    </address>
  )
}
