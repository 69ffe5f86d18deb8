import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { presentPictures } from '../realms/pictures.ts'
import { isMethodEnabled } from '../realms/present.ts'
import { FEATURE_LEVEL, MERGE_BASE, VERSION } from '../../version.ts'

const Flags = z.record(z.string(), z.boolean())

export const getServerSettings = defineRoute({
  id: 'get-server-settings',
  method: 'GET',
  path: '/server_settings',
  summary: 'What a client needs to know before anybody signs in',
  caller: 'anyone',
  params: {},
  result: z.object({
    authentication_methods: Flags,
    email_auth_enabled: z.boolean(),
    external_authentication_methods: z.array(z.never()),
    is_incompatible: z.boolean(),
    push_notifications_enabled: z.boolean(),
    realm_description: z.string(),
    realm_icon: z.string(),
    realm_name: z.string(),
    realm_uri: z.string(),
    realm_url: z.string(),
    realm_web_public_access_enabled: z.boolean(),
    require_email_format_usernames: z.boolean(),
    svc_feature_level: z.int(),
    svc_merge_base: z.string(),
    svc_version: z.string(),
  }),
  run: ({ server, db, realm, request }) => ({
    authentication_methods: {
      password: isMethodEnabled(server, realm.settings, 'Email'),
      dev: isMethodEnabled(server, realm.settings, 'Dev'),
      email: isMethodEnabled(server, realm.settings, 'Email'),
      ldap: false,
      remoteuser: false,
      'openid connect': false,
      saml: false,
    },
    email_auth_enabled: isMethodEnabled(server, realm.settings, 'Email'),
    external_authentication_methods: [],
    is_incompatible: false,
    push_notifications_enabled: false,
    realm_description: realm.settings.description,
    realm_icon: presentPictures(db, request.realmUrl).icon_url,
    realm_name: realm.name,
    realm_uri: request.realmUrl,
    realm_url: request.realmUrl,
    realm_web_public_access_enabled:
      server.config.webPublicStreamsEnabled && realm.settings.enable_spectator_access,
    require_email_format_usernames: true,
    svc_feature_level: FEATURE_LEVEL,
    svc_merge_base: MERGE_BASE,
    svc_version: VERSION,
  }),
})
