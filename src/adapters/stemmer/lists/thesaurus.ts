/**
 * Words of requests, and the words that tools use for them. Each line has the words of tools, a colon and the words of
 * requests. Two words joined by an underscore count only if they are adjacent.
 */
export const thesaurus = `
create add post : make new add start open set insert write put generate begin build draft enter register record establish
create : upload file_a save set_up
log history commits : who_changed who_did
research report : report_on thorough sources thoroughly
wait : hold_on wait_until wait_for
time current : how_late
describe details : details_about details_of tell_me_about
update : set_all
get read retrieve : show see view display open fetch load tell give check look read find what who say says content inside
list get : which all show every what how_many any overview whole are_there exist exists
delete remove : remove erase drop forget clear uninstall cancel discard trash destroy wipe kill get_rid throw throw_away away purge rid
update edit patch modify : change edit modify replace rename set correct fix mark patch adjust alter swap rewrite revise amend put turn
update : up_to behind
update : close reopen finish complete done assign
search query find : find look seek locate where anywhere lookup look_up hunt any
search list : which filter matching
send post publish : post write tell say publish message notify announce send inform let_know drop
reply thread : answer respond reply
write save store : save write store put overwrite
move : rename put relocate transfer pull drag shift
rename move : call title
navigate goto : go visit open browse head take_me
close : shut quit exit done leave end
type fill : enter write type input
press key : hit push tap
click press : press tap push hit button select choose
select option : choose pick dropdown
drag drop : pull move drop
hover mouse : mouse pointer cursor
scroll wheel : scroll
wait : until wait appears
upload attach : attach upload add
download export : download export
copy duplicate clone fork : copy duplicate clone own_copy
execute run : run execute launch start
evaluate javascript script : javascript script js
undo revert reset : undo revert back rollback unstage
restore : recover bring_back back
enable toggle : enable turn_on switch activate
stop cancel : stop halt cancel abort end kill
start run : start launch begin boot
restart rollout reboot : restart reboot bounce redeploy
install : install setup set_up deploy
upgrade update : upgrade newer
convert : convert turn into what_is that_in translate
calculate sum add : plus sum total calculate add add_up count minus
count : how_many number count many
compare diff : compare difference differ changed change
merge : merge combine join accept land
approve review : approve accept lgtm okay
compress gzip zip archive : compress zip pack shrink
echo repeat : repeat echo
remember memory create entities observations graph : remember memorize note_down keep_in_mind learn
memory graph search : remember know knowledge known recall remind
memory delete : forget
relations relationship link association : link connection related relation relationship connect works_for married associate belongs
observation fact : fact detail prefers likes
entity node : person people thing concept
directory folder : folder directory dir subfolder
directory tree structure : layout structure hierarchy tree subfolders nested overview
file : document attachment picture text disk computer letter draft notes
filesystem file directory : disk computer machine local drive desktop downloads laptop
size : space big large small largest biggest heavy bytes
permission access allowed : allowed permitted may access right permission
metadata info information details : modified created info details properties changed when last_modified
image screenshot picture : picture photo image snapshot screenshot logo
screenshot : picture capture photo screen
media image audio : photo picture song sound jpg png mp3
repository : repo repository project open_source codebase
github repository : project open_source repo
pull_request : pr merge_request review mr
request : pr mr
pull : pr mr
issue : bug ticket problem error task defect reported
issue search : reported report
close update : close
comment : remark note comment feedback say reply answer
review comment : reviewer feedback said review
check status ci : green checks passing build ci failed failing red
branch : branch line
commit : commit check_in history committed checkin
log history commit : history log recently who_changed past
status : uncommitted dirty state status clean health happening
diff changes : changed change differences modifications uncommitted
stage add : stage staging
checkout switch : switch change_to
show commit : show
user : user person people member who account colleague profile author
profile user : title phone job who email address
users list members : who everybody everyone team members staff
channel : channel room group
message : message text chat dm wrote writing said post
message post : tell announce
history messages : recent recently today yesterday latest writing written discussed talked going_on
reaction emoji : react thumbs thumbs_up emoji heart like
thread reply replies : thread answers conversation discussion responses
mail email : mail email e_mail
event calendar : meeting appointment event schedule invite
calendar : schedule agenda availability free busy
task todo : todo task reminder chore
note page : note
address geocode location coordinates : address coordinates where latitude longitude gps
coordinates geocode : coordinates
reverse geocode address : address which_address street
places search : restaurant restaurants cafe bar hotel shop store nearby near good around sushi pizza pharmacy museum
place details : opening_hours hours rating reviews phone cafe restaurant
distance travel duration : far long how_far how_long take drive travel minutes
directions route : get_to how_do way route from_to drive walk directions car bike
elevation : high height altitude elevation sea sea_level above meters
map location : map where
weather forecast : weather rain temperature sunny forecast umbrella
time current : time clock now what_time hour
time convert timezone : time_zone timezone time
date time : date today day
database sql query table : database sql db table customers orders rows postgres mysql
query sql : select count report how_many
table : table sheet spreadsheet
schema describe columns : columns schema fields structure
record row : row entry record line rows entries
field column property : column field attribute property
base database : base database
page website browser : site page website web
browser : browser site window web_page website page chrome
browser page close : browser
resize : size phone_sized smaller larger bigger
window : window screen
console messages errors : errors error console warnings
dialog alert prompt : alert popup popup_window dialog confirm
color scheme media emulate : dark dark_mode light_mode night print_view
form fill fields : form sign_up signup fields sheet registration checkout name street
text type element : box search_box field input
dropdown select option : dropdown menu country list
tab tabs : tab
back previous history : back previous last_page
network requests : api_calls requests calls traffic xhr
pdf : print pdf paper
snapshot accessibility : see read
url fetch page : link article url address page webpage
search web : news latest web internet online google current look_up recent elections happening
extract content : text article content read
crawl website : whole through every_page entire crawl spider documentation
map site urls : all_pages list_pages sitemap structure
research : investigation investigate thorough research study deep analyze in_depth
block : paragraph block section bullet
block children page content : read contents text
page title search : called named
page create : page
parent move : under archive
users : access
data_source database : database source table
comment create : remark
pod kubernetes resource get : pod pods deployment service services namespace container cluster
logs : printed print output log logs stdout says
scale replicas : copies replicas instances scale
rollout restart : restart
delete resource : broken
helm chart : helm chart
exec container pod : inside execute shell container
node drain : node drain maintenance cordon
port forward : reachable localhost forward port tunnel
context cluster : cluster
apply manifest : apply yaml manifest
resource : resource pod service
contact object : contact customer company lead client deal
objects create : customer company contact deal
engagement note : call note log meeting
workflow automation : automation automations workflow automate
deal opportunity : deal sale pipeline
ticket issue : ticket
invoice : invoice bill
payment charge transaction : payment paid pay charge bought purchase spent transaction
refund : refund reimburse money_back
subscription plan : subscription plan monthly recurring
customer : customer client buyer
balance account : balance money account
price product : price cost product
order : order purchase bought
track song music playback : song music track play listen
playlist : playlist
playback play pause : play pause skip resume
volume : loud quiet volume louder quieter
light switch : light lamp bulb
temperature climate thermostat : warm cold heating temperature degrees
device : phone device speaker lamp
document docs : document doc paper letter
documentation docs library : documentation manual guide help docs
permission share : share invite access
label tag : tag label category
assignee assign : assign responsible owner
milestone sprint cycle : sprint deadline milestone
project : project
team : team group
organization workspace : organization company org workspace
environment variables env : environment env variables settings
config settings : settings configuration preference option
key secret token : key secret token password credential
deploy deployment release : deploy release ship publish live
version release : version release
function lambda : function
bucket storage : storage bucket
backup snapshot : backup
server instance machine : server machine host vm
container docker : docker container
job pipeline workflow run : pipeline build job ci
schedule cron : daily weekly nightly every_day
alert incident monitor : alert incident outage alarm down
metric statistics usage : metric statistics usage performance stats
chart graph diagram plot : chart plot graph draw diagram visualize
code search : used code defined called
code : code function source
summary summarize : summary summarize overview short
translate : translate language
transcript subtitle : transcript subtitle captions
video : video movie clip film
audio : sound voice audio
notification alert : notify remind alert notification
members : people
archive : archive
subscribe watch follow : subscribe follow watch
booking reservation : book reserve booking table
flight : fly flight plane
stock quote : stock share price
thinking sequential : think reason step_by_step plan
tool : tool
long operation : long
error exception issue event : crash crashes crashed fail fails failed failure broken exception bug
performance trace profile : slow slowly fast speed speed_up lag laggy loading loads
explain analyze cause diagnose : why root_cause reason
index create : speed_up lookups
whoami self authenticated user : who_am logged_in signed_in me myself
size statistics stats storage usage : how_big how_large how_much
resolve update status : fixed solved resolve resolved done handled
release version deployment : ship shipped deployed released
merge request : mr
scrape extract fetch content : website webpage text content get
monitor alert watch : whenever watch watching keep_eye notify track changes
paper article research literature : scientific articles article paper papers study studies science academic literature
agent research : investigate competitors competitor
rerun retry : again retry try_again once_more
trigger run start : kick_off kick trigger fire
rollback revert : go_back previous_version back
validate validation config : valid correct syntax mistakes
artifact : artifact artifacts output outputs
update reschedule : push_back reschedule postpone delay later earlier shift
delete cancel event : cancel call_off
respond response invitation attendee : invitation invite rsvp say_no say_yes attend decline
freebusy availability busy : free busy available slot
event list calendar : tomorrow tonight monday tuesday wednesday thursday friday saturday sunday weekend agenda coming_up
event search calendar : meeting appointment when dentist lunch dinner party birthday standup
create event : schedule book put
screenshot snapshot : look_like looks_like appear appearance
emulate device : pretend simulate phone mobile offline
css style : red blue green color colour font style bold
record screencast recording : record recording video film
heap memory : ram leak leaks eat
audit : seo accessible accessibility score
console message error : javascript script
url map link : urls domain links addresses
list assigned mine : plate mine
due date deadline : due deadline until
assign : give responsible hand_over
workload : busy most_to
permission revoke remove : shouldn longer able
share permission invite : let see allow show access
trash delete : throw bin
turn on light : lights_on light lights lamp
turn off light : lights_off light lights lamp
brightness dim : dim dimmer bright brighter darker
temperature thermostat set : cold warm hot chilly degrees heat
temperature humidity get : how_warm how_cold how_hot
cover blind curtain open close : shutters shutter blinds blind curtains garage raise
scene : mood atmosphere
vacuum robot : clean floor dust dirty
arm alarm : leaving alarm
energy electricity usage : power electricity energy
volume set : loud louder quiet quieter turn_down turn_up
next skip : skip next
playing current : this_song playing
queue : after next
playlist create : mix
play start playback : put_on music jazz
save library : love favourite favourites favorite favorites
top most : most favorite listen
follow : posted follow
coupon discount : off code promo percent
dispute chargeback : contest contested disagree
void cancel : mistake wrong
count number : how_many
aggregate : average group_by total
insert document : add
collection : collection
similar related : similar alike like
version history : versions earlier older
thread conversation : conversation
inbox message email : inbox mail unread
draft email : draft
label : label folder
attachment : attachment attached
contact : contact phone_number
reminder : remind
note : jot memo
task create : remember_to have_to
task complete close : finished ticked done tick
bookmark : bookmark
log : logs logged
secret : secret password
user create invite : invite onboard
user delete deactivate : offboard fired
role permission : role admin
cpu metric usage : cpu load
uptime status health : up down alive
dashboard : dashboard overview
image generate : draw paint picture
image container pull : image
volume network : volume
dns domain record : domain dns
certificate : https tls ssl
cost billing : cost spend bill bills
budget : budget
portfolio position : shares own
exchange currency rate : currency dollars euros exchange worth
word definition dictionary : mean meaning means
news search : headlines
`;
