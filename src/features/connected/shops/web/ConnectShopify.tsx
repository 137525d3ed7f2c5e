import { Connect } from './Connect.tsx'

export const Screen = () => <Connect kind="shopify" />
