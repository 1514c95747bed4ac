/** Names of well-known servers, and the words of requests for them, in the form of the thesaurus. */
export const brands = `
github gitlab bitbucket gitea : repo repos repository pull_request merge_request commit fork branch
jira linear asana clickup : bug bugs ticket tickets sprint backlog epic story assignee
sentry bugsnag rollbar honeybadger : crash crashes exception exceptions stack_trace stacktrace unhandled regression
grafana datadog newrelic : dashboard dashboards metric metrics latency monitoring
pagerduty opsgenie : on_call page_the paged outage escalation
kubernetes k8s kubectl : pod pods cluster deployment replica replicas namespace ingress rollout container
docker podman portainer : container containers image_pull dockerfile compose
slack discord teams mattermost zulip : channel channels dm thread
discord : guild voice_channel
slack : workspace_users
gmail outlook email imap : mail mails inbox newsletter newsletters spam
calendar gcal : appointment appointments meeting meetings invite invitation schedule availability
notion confluence obsidian : wiki page note notes
figma sketch canva : design designs mockup frame frames artboard prototype
stripe paddle paypal : payment payments refund chargeback chargebacks dispute subscription subscriptions invoice charge charged pay payout
shopify woocommerce magento : shop store order orders product products customer customers cart sku
xero quickbooks : invoice bill bookkeeping accounting ledger
spotify sonos : song songs album playlist track music artist
youtube : video videos transcript subscriber
todoist ticktick things : todo todos to_do errand chores groceries
trello : board boards card cards column
airtable : base bases record records grid
salesforce hubspot pipedrive attio : lead leads deal deals opportunity crm pipeline
zendesk intercom freshdesk : ticket customer_support helpdesk
homeassistant hass home : lamp light lights thermostat heating blinds vacuum garage lock sensor
postgres mysql sqlite sql : rows row table tables select sql join
mongodb mongo : document documents collection collections
redis : cache key ttl
elasticsearch opensearch algolia : index indices full_text
playwright puppeteer browser chrome : browser webpage click screenshot button page website form dropdown popup tab
filesystem files : file files folder folders directory disk
git : commit commits branch staged unstaged repo diff
maps googlemaps : address route directions nearby distance place places
weather : rain sunny forecast umbrella
drive gdrive dropbox box onedrive : doc docs sheet spreadsheet slides
twilio : sms text_message phone_call
mailchimp klaviyo brevo : campaign newsletter subscribers audience
aws s3 : bucket buckets ec2 lambda s3 rds iam cloudwatch dynamodb cloudfront sqs sns
cloudflare : dns worker zone
vercel netlify : deployment preview_url
zoom : video_call webinar
telegram whatsapp signal : chat chats
reddit : subreddit post upvote
strava garmin : ride workout activity
`;
