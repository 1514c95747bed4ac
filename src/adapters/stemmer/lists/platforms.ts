/** Words of requests about programs, servers, records and media, in the form of the thesaurus. */
export const platforms = `
process list running : program programs running_programs task_manager
process output read : printed prints console_output so_far
process interact input send : type_into repl stdin
process command terminal start : shell bash terminal command_line
config setting value set default : preference preferences option options setting settings default
emulate throttle network conditions : slow_3g 3g 4g offline slow_connection connection_speed
performance trace : loads_slowly load_slowly page_speed core_web_vitals
network request list : xhr ajax api_calls http_requests
accessibility tree snapshot : accessibility a11y
dialog alert handle : popup alert
page tab new open : another_tab new_tab
mapping index field : field_types field_type
resize window viewport : window_size narrow wide width height
key value set string : cache cached
expire expiration key : time_to_live ttl go_away expires_after
sorted_set score member zadd : leaderboard ranking high_score
publish message channel : broadcast pubsub
downtime mute monitor schedule : silence quiet snooze maintenance
monitor alert status : alerting firing triggered
metric query timeseries : plot graph
trace span apm : slow_requests latency
override schedule oncall : take_over swap stand_in shift cover_for
oncall schedule : on_duty standby shift
responder add incident : get_help call_in bring_in reinforcements
incident acknowledge resolve manage : acknowledge ack
incident create urgency : outage page_the
media download : save_the_picture save_the_photo save_the_video
chat list : conversation conversations
audio message send : voice_note voice_message
interaction last recent : last_talk last_spoke last_contact
receivable aged overdue : owe owes owed outstanding
credit note refund : overcharged credit
contact update address : moved new_address
profit loss report : profit loss earn earned
balance_sheet : assets liabilities
tax rate : vat
quote estimate : offer quotation
invoice create : bill charge
timesheet approve : sign_off
payment record invoice : was_paid been_paid
cypher query graph : match node nodes graph
read query cypher : return_p match
write query cypher : edge
stats statistics total athlete : this_year all_in_all altogether
activity recent : runs rides run ride workouts
segment : climb climbs
tempo bpm : faster slower bpm speed_up slow_down
instrument effect load : reverb delay synth synthesizer piano drum drums guitar
notes clip midi add : chord chords melody arpeggio bass
format range cells : bold italic grey font background border align highlight
formula apply cell : sum_of average_of formula
merge cells : join
chart create : bar_chart pie_chart line_chart diagram
pivot table create : pivot summarise
excel worksheet read : xlsx figures numbers
search listing stay : flat apartment cabin place_to_stay accommodation somewhere_to_stay
listing details : amenities washing_machine balcony check_in_time
member subscriber list add : newsletter subscribe subscribes subscriber
campaign email : newsletter mailing
report campaign opens clicks : opened open_rate click_rate
report analytics run : visitors visits visitor page_views traffic sessions
realtime report active_users : at_this_moment right_now online_now currently_on
record query : opportunities opportunity leads lead cases
record dml insert update : insert stage
field manage : checkbox picklist dropdown
permission field : can_see can_t_see may_see hide_from
debug log manage : debug_logging
execution list : failed_last failed_runs ran_last automations
workflow create : automation automate
workflow validate : correct valid mistakes
flaky test : fail_only_sometimes sometimes_fail unstable
build failure log : build_fail build_failed ci_fail
pipeline status : green red passing
rerun workflow : start_again run_again retry
config helper validate : config_yml
note flashcard create : flashcard flash_card index_card
deck : vocabulary cards
model 3d generate : 3d_model mesh
job status poll : ready_yet done_yet finished_yet
texture set : texture material
scene info : scene
local search businesses : near_me nearby around_here close_by
documentation docs library : docs manual
thinking sequential : think_through step_by_step reason
topic messages consume : arrived arrive came_in stream
message produce record topic : event put_on
consumer group lag : lagging lag behind
participant attendee list : attended attendees took_part was_there
recording list get : recording recorded recordings
meeting summary : discussed minutes
post thread search : people_say opinions discussions
thread hot trending : popular trending top
post create submit : submit
reply comment post : answer
user karma follower profile : karma followers
follower list : followers follows_me
post publish tweet : tweet post_on
flag feature create update : flag toggle rollout roll hide
funnel query : drop_off funnel conversion
experiment results : ab_test a_b_test variant variants
survey create : survey feedback happy satisfied
error list exception : exception exceptions crashes run_into
cohort segment users : cohort
retention query : come_back return_rate
user deactivate suspend : left_the_company lock disable offboard leaves
password reset : forgot forgotten
user group add : give_access access_to
user create account : new_account account_for intern
log audit get event : failed_login failed_logins logins sign_ins
application list : apps single_sign_on sso
site publish deploy : live put_online
collection item create entry : blog_post cms entry
collection list : collections
page content get : text_on says
asset upload media : logo picture image
sticky note create : sticky post_it note
connector create line : arrow line connect
board share invite : let_see invite
board create : whiteboard canvas
frame create : frame
object manage create scene : cube sphere capsule player enemy camera light
script manage create : script c_sharp behaviour
console read message : console errors_in
editor manage play : play_mode
test run : unit_tests tests
quality_gate status : passes
measure component coverage : coverage duplication
issue status change : false_positive won_t_fix wontfix
issue search severity vulnerability : code_smells vulnerabilities vulnerability weaknesses
sms send message : sms text_message
call make phone outbound : call phone dial ring
phone number search buy : phone_number
recording call : recorded_call
query run sql statement : rows
object list warehouse : warehouses schemas views
object describe table : columns
analyst question semantic model : semantic_model
volume set : louder quieter volume turn_up turn_down
group speakers : same_music
pause stop playback : stop_the_music silence
playing now current track : which_song what_song this_song
play favorite playlist : put_on play
sleep : slept asleep
readiness recovery score : fit_enough recovered rested tired
activity daily steps : steps step walked calories
heart rate : pulse bpm
envelope signature : sign signature contract
envelope status : signed
envelope void cancel : withdraw withdrawn revoke
document download signed : signed_pdf signed_copy
speech text_to_speech convert : read_aloud read_out out_loud spoken narrate say_this
speech_to_text transcribe : transcript transcribe write_down said_in
voice clone : my_voice
sound effect text : sound_of sound
isolate audio noise : noise hum
music compose : song melody piece
quote stock price : trading_at share_price stock_price worth
time series daily price history : closing closing_prices chart_of
company overview ratio : market_cap p_e dividend
income statement revenue : revenue turnover
earnings calendar : reports_next next_numbers earnings_date
exchange rate : for_a_dollar for_a_euro
sentiment news : mood sentiment
token wallet balance : wallet token holdings
token swap trade : swap
gas fee estimate : gas network_fee
time tracking start : clock stopwatch timer
time tracking stop : clock timer
task get overdue due : overdue late
task attach file : attach mockup
task move list : done_list
url report security analysis : safe phishing suspicious
ip report security : attacks attacker
file report hash : malware virus hash
domain report : domain
item search sale : used second_hand buy
bid place auction : bid offer auction
listing create sell : sell
order get shop : shipped sold
search replace : change_every replace_all
convert pdf : as_a_pdf as_pdf
document text get extract : docx
heading add : heading chapter
paragraph add : paragraph
slide add presentation : slide
footnote : footnote
scale dyno replica instance : more_instances scale
restart : hangs hung frozen stuck reboot
log app view : crash crashes crashed
maintenance on mode : offline
backup manage capture : back_up backup
rollback release : previous_release
environment variable config_var set : env_var env_vars environment_variable
deployment list : deploys deployments releases
domain add : custom_domain
secret create set : secret api_key credential
certificate : tls ssl https
queue list : queue queues backlog
queue purge : empty clear
bucket object upload : s3 bucket
bucket object list : s3 bucket
function lambda invoke : lambda invoke
cost usage get : spend spending bill costs cost
instance start stop : virtual_machine vm server
role permission policy : iam permissions
table query data : dataset warehouse
vector search similarity : similar semantic
embedding create : embedding embeddings
collection create vector : index
document index add : index
scrape page extract : scrape
crawl site : crawl
form create : questionnaire form
response submission list form : answers responses submissions filled_in
appointment schedule booking : appointment slot
availability slot : free free_slots
attachment upload : attach
label tag add : tag label
archive : archive put_away
restore trash : undelete bring_back recover
version history : older_version earlier_version
share link create : share shared_link
permission share : give_access
lock : lock locked unlock
vacuum clean start : vacuum hoover robot
camera snapshot : camera
scene activate : movie_night
light turn : lamp lamps bulb
thermostat temperature set : warmer colder heating
package track shipment : parcel parcels delivery package
ride request : taxi ride cab
patent search : patent
filing search company : annual_report 10_k filing
trial search clinical : clinical_trial study
compound drug search : molecule drug
paper search : papers paper study
citation get : cited cites
notebook page create : onenote
clip note save : clip
highlight list : highlights highlighted
book shelf add : to_read
transcript get video : subtitles transcript
image edit : crop retouch
image upscale : upscale sharper larger
background remove : background cut_out
video edit trim : trim cut
audio convert : mp3 wav
barcode qr generate : qr qr_code
scan vulnerability : vulnerability vulnerabilities
port scan host : open_ports port
certificate domain lookup : whois registered
breach check email : leaked breach
branch protection : protected
review request : review
release create : release
wiki page : wiki
work item create : work_item backlog_item user_story story
sprint iteration : sprint
epic : epic
candidate list : applicant applicants
job opening : vacancy
job search : position positions
bookmark create : read_later for_later keep
bookmark search : saved_link link
object create part : box cylinder sphere
object edit property : taller wider shorter bigger smaller thicker
forecast : predict prediction expect
prediction model create : prompt
battery : energy
employee directory search : colleague colleagues
payroll run : payroll
goal okr : objective objectives
`;
